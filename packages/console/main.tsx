import { render } from 'preact';
import { App } from './shell/app.tsx';
import './styles.css';

render(<App />, document.getElementById('console')!);
