import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumedWindowTokens, isDeferred, searchTools, type SearchableTool } from '../../../../src/main/core/mcp/deferral'

/** Tools as common servers describe them: server, then `name: description` a line. */
const listed: Readonly<Record<string, string>> = {
  github: `create_issue: Create a new issue in a GitHub repository
search_issues: Search for issues and pull requests across repositories
get_issue: Get details of a specific issue
add_issue_comment: Add a comment to an existing issue
create_pull_request: Create a new pull request
merge_pull_request: Merge a pull request
list_commits: Get a list of commits of a branch
create_branch: Create a new branch
fork_repository: Fork a repository to your account or organization
get_file_contents: Get the contents of a file or directory from a repository
search_code: Search for code across repositories
create_repository: Create a new repository in your account
list_workflow_runs: List runs of a GitHub Actions workflow
get_job_logs: Download logs of a workflow job`,
  filesystem: `read_file: Read the complete contents of a file as text
read_media_file: Read an image or audio file and return base64
write_file: Create a new file or overwrite an existing one
edit_file: Make line-based edits to a text file
create_directory: Create a new directory or ensure it exists
list_directory: Detailed listing of files and directories in a path
directory_tree: Recursive tree view of files and directories as JSON
move_file: Move or rename files and directories
search_files: Recursively search for files matching a pattern
get_file_info: Retrieve size, permissions and times of a file
list_allowed_directories: Directories this server may access`,
  postgres: `query: Run a read-only SQL query against the connected database
list_schemas: List all schemas in the database
list_objects: List tables, views and sequences of a schema
explain_query: Explain the execution plan of a statement
get_top_queries: Report the slowest statements
analyze_db_health: Check index health, vacuum, connections and replication`,
  browser: `browser_navigate: Navigate to a URL
browser_click: Perform click on a web page element
browser_type: Type text into an editable element
browser_take_screenshot: Take a screenshot of the current page
browser_snapshot: Capture accessibility snapshot of the current page
browser_console_messages: Returns all console messages
browser_network_requests: Returns all network requests since loading the page
browser_file_upload: Upload one or multiple files
browser_wait_for: Wait for text to appear or a time to pass
browser_close: Close the page`,
  slack: `slack_post_message: Post a new message to a Slack channel
slack_reply_to_thread: Reply to a specific message thread
slack_add_reaction: Add a reaction emoji to a message
slack_list_channels: List public channels in the workspace
slack_get_channel_history: Get recent messages from a channel
slack_get_users: List all users of the workspace with their profile`,
  gmail: `sendEmail: Sends a new email with optional attachments
searchEmails: Searches for emails with the Gmail search syntax
readEmail: Retrieves the content of a specific email
deleteEmail: Permanently deletes an email
modifyLabels: Adds or removes labels of an email
listLabels: Retrieves all available labels`,
  calendar: `listEvents: Lists calendar events in a time range
createEvent: Creates a calendar event with attendees
updateEvent: Updates an existing event
deleteEvent: Deletes an event from the calendar
freeBusy: Finds when people are free or busy`,
  maps: `maps_geocode: Convert an address into geographic coordinates
maps_search_places: Search for places such as restaurants
maps_directions: Get directions between two points
maps_distance_matrix: Travel distance and time for several origins and destinations
maps_elevation: Elevation data for locations`,
  weather: `get_forecast: Weather forecast for a location
get_alerts: Severe weather alerts of a state`,
  docker: `list_containers: List all Docker containers
run_container: Run an image in a new container
stop_container: Stop a running container
container_logs: Fetch the output of a container
build_image: Build an image from a Dockerfile
list_images: List Docker images`,
  k8s: `kubectl_get: Get or list Kubernetes resources
kubectl_apply: Apply a manifest
kubectl_scale: Scale a deployment to a number of replicas
kubectl_rollout: Manage the rollout of a deployment
port_forward: Forward a local port to a pod`,
  sentry: `find_errors: Find errors and exceptions of a project by count
get_issue_details: Get stack trace and tags of an error
resolve_issue: Mark an error as resolved`,
  stripe: `create_customer: Create a customer
create_invoice: Create an invoice for a customer
list_payment_intents: List payments with their state
create_refund: Refund a payment
retrieve_balance: Retrieve the balance of the account`,
  notion: `API-post-search: Search pages by title
API-patch-page: Update the properties of a page
API-retrieve-a-database: Retrieve a database
API-create-a-comment: Create a comment`,
  memory: `create_entities: Create entities in the knowledge graph
add_observations: Add observations to entities
search_nodes: Search nodes in the knowledge graph
delete_relations: Delete relations between entities`,
  time: `get_current_time: Get the current time in a timezone
convert_time: Convert time between timezones`,
  fetch: `fetch: Fetches a URL from the internet and extracts its contents as markdown`,
  飞书: `发送消息: 向指定的群聊或用户发送消息
创建文档: 新建一篇云文档
搜索文档: 按关键词搜索云文档
查询日程: 查询用户某段时间内的日程安排
创建多维表格记录: 在多维表格中新增一条记录`,
  高德地图: `路径规划_驾车: 规划两点之间的驾车路线
天气查询: 根据城市名称查询实时天气
周边搜索: 搜索某个位置附近的地点`,
}

const tools: readonly SearchableTool[] = Object.entries(listed).flatMap(([server, lines]) =>
  lines.split('\n').map((line) => {
    const at = line.indexOf(': ')
    return { server, name: line.slice(0, at), title: '', description: line.slice(at + 2) }
  }),
)
const best = (query: string, limit = 5): readonly string[] => searchTools(query, tools, limit).map(({ server, name }) => `${server}/${name}`)

test('tools are found by a search above a tenth of the window (issue 3, item 7)', () => {
  expect([isDeferred(20_000, 200_000), isDeferred(20_001, 200_000), isDeferred(0, 0), isDeferred(assumedWindowTokens / 10, null), isDeferred(assumedWindowTokens / 10 + 1, null)]).toEqual([false, true, false, false, true])
})

describe('a search for tools finds what was meant (issue 3, item 7)', () => {
  test('the table is about as long as what it stands for', () => {
    expect(tools.length).toBeGreaterThanOrEqual(100)
  })

  test.each([
    ['create issue', 'github/create_issue'],
    ['open a pull request', 'github/create_pull_request'],
    ['rename a file', 'filesystem/move_file'],
    ['make a folder', 'filesystem/create_directory'],
    ['find files by pattern', 'filesystem/search_files'],
    ['run sql', 'postgres/query'],
    ['slow queries in the database', 'postgres/get_top_queries'],
    ['take a picture of the web page', 'browser/browser_take_screenshot'],
    ['clicking a button', 'browser/browser_click'],
    ['write a message to slack', 'slack/slack_post_message'],
    ['send mail', 'gmail/sendEmail'],
    ['emails search', 'gmail/searchEmails'],
    ['remove a meeting', 'calendar/deleteEvent'],
    ['when is everybody free', 'calendar/freeBusy'],
    ['route between two addresses', 'maps/maps_directions'],
    ['container logs', 'docker/container_logs'],
    ['refunds', 'stripe/create_refund'],
    ['download a web page', 'fetch/fetch'],
    ['exceptions in production', 'sentry/find_errors'],
    ['what time is it in Tokyo', 'time/get_current_time'],
    ['搜索文件', 'filesystem/search_files'],
    ['创建一个新的分支', 'github/create_branch'],
    ['给用户发消息', '飞书/发送消息'],
    ['查看明天的日程', '飞书/查询日程'],
    ['开车路线', '高德地图/路径规划_驾车'],
    ['天气预报', 'weather/get_forecast'],
    ['城市天气', '高德地图/天气查询'],
    ['发送邮件', 'gmail/sendEmail'],
    ['网页截图', 'browser/browser_take_screenshot'],
    ['数据库查询', 'postgres/query'],
    ['删除日历事件', 'calendar/deleteEvent'],
    ['k8s deployment replicas', 'k8s/kubectl_scale'],
    ['a new repo', 'github/create_repository'],
  ])('%s', (query, expected) => {
    expect(best(query)).toContain(expected)
  })

  test.each(['query', 'freeBusy', 'FREE_BUSY', 'mcp__calendar__freeBusy', 'calendar freeBusy', 'API-post-search', '天气查询', 'fetch'])('a name as a whole comes first: %s', (query) => {
    const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '')
    expect(plain(query).endsWith(plain(best(query, 1)[0]?.split('/')[1] ?? '?'))).toBe(true)
  })

  test('what fits nothing finds nothing, and no query does not fail', () => {
    expect(best('zzzzqqq')).toEqual([])
    expect(best('')).toEqual([])
    expect(best('   ,.; ')).toEqual([])
    expect(searchTools('file', [], 5)).toEqual([])
    expect(searchTools('file', tools, 0)).toEqual([])
  })

  test('the order of the tools changes nothing, and a smaller limit gives the first of more', () => {
    const query = fc.array(fc.constantFrom('file', 'search', 'create', 'the', '搜索', '文件', 'issue', 'list', 'messages', 'x'), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(query, fc.shuffledSubarray([...tools], { minLength: tools.length }), fc.integer({ min: 1, max: 20 }), (asked, shuffled, limit) => {
        const all = searchTools(asked, tools, 1000)
        expect(searchTools(asked, shuffled, limit)).toEqual(all.slice(0, limit))
      }),
    )
  })

  test('a thousand tools with long descriptions are no trouble', () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ server: `s${at % 50}`, name: `tool_${at}`, title: '', description: `${'Does something with a record. '.repeat(500)} number ${at}` }))
    expect(searchTools('tool_77', many, 3)[0]).toBe(many[77])
    expect(searchTools('record', many, 10)).toHaveLength(10)
  })
})
