/** Pure part of the consumption of Kafka: which settings count, and what messages become. */
@NullMarked
package dev.millrace.scheduler.kafka.core;

import org.jspecify.annotations.NullMarked;
