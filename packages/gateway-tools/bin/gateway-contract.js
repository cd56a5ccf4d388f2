#!/usr/bin/env node
import '../dist/contract/main.js';
