/**
 * Messages of Kafka that start runs. Each scheduler consumes for each trigger ({@link
 * dev.millrace.scheduler.kafka.KafkaTriggers}); the brokers divide the partitions among the schedulers.
 */
@NullMarked
package dev.millrace.scheduler.kafka;

import org.jspecify.annotations.NullMarked;
