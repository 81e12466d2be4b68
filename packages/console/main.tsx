import { render } from 'preact';
import { App } from './shell/app.tsx';
import './styles.css';
import './way-in.css';

render(<App />, document.getElementById('console')!);
