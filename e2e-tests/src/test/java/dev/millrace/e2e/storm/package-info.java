/**
 * Storms: many runs of many kinds, while every part is killed, stopped and cut off, and people operate on the runs. What a storm does follows from its
 * seed; afterwards every row, nonce, side effect and log line is compared with what was promised.
 */
@NullMarked
package dev.millrace.e2e.storm;

import org.jspecify.annotations.NullMarked;
