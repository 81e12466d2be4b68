/// <reference path="./.sst/platform/config.d.ts" />

export default $config({
  async app({ stage }) {
    const { settingsOf } = await import('./infra/settings.ts');
    const settings = settingsOf(stage ?? '');
    return {
      name: 'errand',
      home: 'aws',
      removal: settings.protected ? 'retain' : 'remove',
      protect: settings.protected,
      providers: {
        aws: { region: settings.region as aws.Region, version: '7.20.0' },
        random: '4.16.6',
      },
    };
  },
  async run() {
    const { createStack } = await import('./infra/stack.ts');
    return createStack($app.stage);
  },
});
