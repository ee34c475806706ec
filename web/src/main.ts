import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { listenForLinks } from './lib/place.svelte';
import { listenForWakeUps } from './lib/session.svelte';

listenForLinks();
listenForWakeUps();
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js');
