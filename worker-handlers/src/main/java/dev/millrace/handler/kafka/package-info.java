/** Kafka messages as jobs. */
@NullMarked
package dev.millrace.handler.kafka;

import org.jspecify.annotations.NullMarked;
