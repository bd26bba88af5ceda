import { useApp } from '../support/app.js';
import { testSearch } from './search-suite.js';

testSearch(useApp());
