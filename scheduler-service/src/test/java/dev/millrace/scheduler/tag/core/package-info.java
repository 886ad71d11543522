@NullMarked
package dev.millrace.scheduler.tag.core;

import org.jspecify.annotations.NullMarked;
