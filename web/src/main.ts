import { mount } from 'svelte';
import App from './App.svelte';
import { need, preferred, speak } from './i18n.svelte';
import { me } from './me.svelte';
import * as router from './router.svelte';
import * as settings from './settings.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/forms.css';

settings.listen();
router.listen();
me.listen();
void need('site');
await speak(settings.current().language ?? preferred(navigator.languages));
const target = document.getElementById('app');
if (target) mount(App, { target });
