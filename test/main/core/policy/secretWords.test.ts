import { expect, test } from 'vitest'
import { saysSecret } from '../../../../src/main/core/policy/secretWords'

test.each([
  'the root password is correcthorsebattery', 'The root password is correcthorsebattery.', 'Remember: wifi password is swordfish', 'wifi pin 1234', 'The door PIN is 48213', 'PIN: 0000', 'pin code 123456',
  'password: hunter2x', 'Password for staging is Tr0ub4dor', 'the password of the database on db1 is s3cr3t!x', 'root password was "letmein99" and still works', 'The wifi password hunter22', 'passphrase is correct horse battery staple',
  'My passcode is 4711', 'pwd = qwertz12', 'token: abc123def456', 'The API key is 9f8e7d6c5b4a', 'api key for the mail service: zx81-spectrum-48k', 'access key is AbCdEfGhIjKlMnOpQr', 'The secret is p4ssw0rd', 'recovery code: 1a2b-3c4d',
  'the password is now sunflower', 'password is “sunflower”', 'The password is blue-horse-lamp', 'credentials: admin:admin123',
  '密码是 hunter2x', '密码是correcthorse', '密码：sunflower', '根密码是 Tr0ub4dor。', 'WiFi 密码为 12345678', '口令：open4me', '口令：芝麻开门', '密码: 天王盖地虎', '令牌是 abc123def456', 'PIN 码：4711', '数据库的密码是 s3cr3t，不要外传', '密钥：9f8e7d6c5b4a',
])('R33 R68 a secret said in words: %s', (text) => {
  expect(saysSecret(text)).toBe(true)
})

test.each([
  'the password is in the vault', 'The password is stored in 1Password.', 'Passwords are kept in 1Password', 'the root password is in the keychain under db-1', 'The password is required', 'the password is optional', 'the token is expired', 'The token is refreshed every 15 minutes',
  'password length is 12', 'The password is 12 characters long at least', 'password: at least 8 characters', 'token limit: 4096', 'The token budget is 5000', 'max tokens: 4096', 'A token is 4 characters', 'Passwords are hashed with argon2id', 'The password hash is bcrypt', 'password is hashed by sha256',
  'The API key is read from OPENAI_API_KEY', 'API key: $OPENAI_API_KEY', 'The api key is OPENAI_API_KEY from the environment', 'api key is <your key>', 'the private key is ~/.ssh/id_ed25519', 'private key: ed25519', 'The secret is that tests run first', 'GPIO pin 1234 is wired to the relay', 'Connect pin 12 to ground', 'Pin node to 22.11', 'pin versions in package.json',
  'The password for staging is kept by the ops team', 'password reset goes to https://example.org/reset', 'The access token is a JWT', 'token is bearer', 'Ask Ada for the password of the build server', 'password is case-sensitive', 'never print the password',
  '密码存放在 1Password', '密码在保险箱里', '密码：存放在保险箱', '密码是必填项', '密码为空时报错', '密码长度为 12', '密码至少 8 位', '密码是 12 位的', '令牌是 JWT', '密钥是 ed25519 类型', '密码是 1Password 管理的', '口令要定期更换', '密码用 bcrypt 加密', '令牌有效期是 3600 秒', '验证码每分钟最多 5 次',
])('R33 no secret: %s', (text) => {
  expect(saysSecret(text)).toBe(false)
})

test('R33 a long text is looked through in no time', () => {
  const text = 'the password for the service of the team is kept, '.repeat(40_000)
  expect(saysSecret(text)).toBe(false)
})
