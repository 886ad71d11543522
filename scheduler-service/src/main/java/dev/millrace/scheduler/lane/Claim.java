package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.core.LeaseToken;

/**
 * Room that looks for waiting jobs.
 *
 * @param capacity whose slotRefs have been reserved
 * @param firstToken token of the first lease; the next ones count on from it
 */
record Claim(SlotBoard.Capacity capacity, LeaseToken firstToken) {}
