import type { Tool } from './defineTool'
import { askUser } from './builtins/askUser'
import { cat } from './builtins/cat'
import { deletePath } from './builtins/deletePath'
import { editFile } from './builtins/editFile'
import { findFiles } from './builtins/findFiles'
import { listFiles } from './builtins/listFiles'
import { movePath } from './builtins/movePath'
import { readFile } from './builtins/readFile'
import { runCommand } from './builtins/runCommand'
import { searchText } from './builtins/searchText'
import { updatePlan } from './builtins/updatePlan'
import { writeFile } from './builtins/writeFile'

/** The core tools (R102), in the order that the model sees them. */
export const builtinTools: readonly Tool[] = [readFile, listFiles, searchText, findFiles, editFile, writeFile, movePath, deletePath, runCommand, cat, updatePlan, askUser]
