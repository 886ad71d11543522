@NullMarked
package dev.millrace.handler.task;

import org.jspecify.annotations.NullMarked;
