import { afterAll } from 'vitest'
import { startDisplay } from './display'

/** Each file of windows has a screen of its own where there is none: two windows on one screen would take the focus from each other. */
const display = await startDisplay()

afterAll(() => void display?.kill())
