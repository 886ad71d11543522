/**
 * Storms: many runs of many kinds, while every part is killed, stopped and cut off, and people operate on the runs. The
 * seed determines the storm. Afterwards every row, nonce, side effect and log line is compared with what Millrace
 * promises.
 */
@NullMarked
package dev.millrace.e2e.storm;

import org.jspecify.annotations.NullMarked;
