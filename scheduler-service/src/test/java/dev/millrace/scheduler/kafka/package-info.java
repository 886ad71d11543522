@NullMarked
package dev.millrace.scheduler.kafka;

import org.jspecify.annotations.NullMarked;
