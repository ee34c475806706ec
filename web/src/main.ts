import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { to } from './lib/base';
import { keepFocus } from './lib/keyfocus';
import { language } from './lib/language.svelte';
import { listenForLinks } from './lib/place.svelte';
import { listenForWakeUps } from './lib/session.svelte';

keepFocus();
listenForLinks();
listenForWakeUps();
void language.choose(language.locale).then(() => mount(App, { target: document.getElementById('app')! }));

if (import.meta.env.PROD) void navigator.serviceWorker?.register(to('/sw.js'));
