@NullMarked
package dev.millrace.scheduler.mqtt;

import org.jspecify.annotations.NullMarked;
