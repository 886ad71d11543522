/**
 * Runs that start by messages of MQTT. Of all schedulers, one holds the session of a trigger at its broker. What a message
 * starts is noted before the broker gets an answer.
 */
@NullMarked
package dev.millrace.scheduler.mqtt;

import org.jspecify.annotations.NullMarked;
