@NullMarked
package dev.millrace.scheduler.mqtt.protocol;

import org.jspecify.annotations.NullMarked;
