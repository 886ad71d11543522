@NullMarked
package dev.millrace.scheduler.mqtt.core;

import org.jspecify.annotations.NullMarked;
