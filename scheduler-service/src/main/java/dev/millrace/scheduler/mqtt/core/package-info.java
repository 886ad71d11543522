/** Pure part of the triggers of MQTT: which topics match, what was delivered before, and what messages become. */
@NullMarked
package dev.millrace.scheduler.mqtt.core;

import org.jspecify.annotations.NullMarked;
