/** Pure parts of quotas: limits, and the buckets that measure rates. */
@NullMarked
package dev.millrace.scheduler.quota.core;

import org.jspecify.annotations.NullMarked;
