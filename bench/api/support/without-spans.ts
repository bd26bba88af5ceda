/** Loaded before the service: takes the spans out of it. */
import { register } from 'node:module';

register(new URL('./without-spans-hooks.js', import.meta.url));
