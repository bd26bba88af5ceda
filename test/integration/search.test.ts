import { useApp } from '../support/app.js';
import { testSearch } from './support/search-suite.js';

testSearch(useApp());
