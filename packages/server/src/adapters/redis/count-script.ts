/**
 * The script that counts requests in Redis: the algorithm of `counts.ts`, with the clock of Redis, so that those of nodes do not
 * matter. Redis runs scripts one at a time.
 *
 * https://redis.io/docs/latest/develop/programmability/eval-intro/
 */
import { windowMs } from '../../kernel/rate-limits/counts.ts';

/**
 * KEYS: the limits; ARGV: their quotas, and of each how many requests count. Returns whether they were counted (1 or 0) and, of each limit, the microseconds until all
 * of its requests are available again. Instants are in microseconds since 2026, which a double represents with fractions. A key expires
 * when it says nothing more than a missing one, after a minute at most.
 */
export const countScript = `
local window = ${windowMs * 1_000}
local time = redis.call('TIME')
local now = (time[1] - 1767225600) * 1000000 + time[2]
local full, accepted = {}, 1
for i, key in ipairs(KEYS) do
  full[i] = math.min(math.max((tonumber(redis.call('GET', key) or now)) - now, 0), window)
  if full[i] + window / ARGV[i] * (ARGV[#KEYS + i] - 0.001) > window then accepted = 0 end
end
if accepted == 1 then
  for i, key in ipairs(KEYS) do
    full[i] = full[i] + window / ARGV[i] * ARGV[#KEYS + i]
    redis.call('SET', key, string.format('%.17g', now + full[i]), 'PX', math.ceil(full[i] / 1000))
  end
end
local result = { accepted }
for i in ipairs(KEYS) do result[i + 1] = math.ceil(full[i]) end
return result`;
