#!/usr/bin/env node
import '../dist/simulator/main.js';
