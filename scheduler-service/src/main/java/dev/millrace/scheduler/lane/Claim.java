package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.core.LeaseToken;

/**
 * A search for waiting jobs on behalf of a slot group with room.
 *
 * @param capacity capacity whose slots have been reserved
 * @param firstToken token of the first lease; the tokens of the others follow it
 */
public record Claim(SlotBoard.Capacity capacity, LeaseToken firstToken) {}
