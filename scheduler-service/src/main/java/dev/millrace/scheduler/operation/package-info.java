/** What people and programs do to runs that are there: pause, resume and the like; and the record of it. */
@NullMarked
package dev.millrace.scheduler.operation;

import org.jspecify.annotations.NullMarked;
