#!/usr/bin/env node
// Sets this repository up and goes on: `node scripts/setup.mjs [start | test | check | dev | build] [arguments]`.
// Everything it loads runs on bare Node: nothing of node_modules is there on a fresh machine.
import './requireNode.mjs'
import { main } from './main.mjs'

process.exitCode = await main(process.argv.slice(2))
