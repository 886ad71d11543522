@NullMarked
package dev.millrace.scheduler.eventhandler;

import org.jspecify.annotations.NullMarked;
