/** Messages to Kafka as jobs. */
@NullMarked
package dev.millrace.handler.kafka;

import org.jspecify.annotations.NullMarked;
