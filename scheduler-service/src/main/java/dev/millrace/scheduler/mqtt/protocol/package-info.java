/**
 * The part of MQTT 3.1.1 and 5 that a subscriber needs: packets, and a connection that reads no more than its reader has
 * room for.
 */
@NullMarked
package dev.millrace.scheduler.mqtt.protocol;

import org.jspecify.annotations.NullMarked;
