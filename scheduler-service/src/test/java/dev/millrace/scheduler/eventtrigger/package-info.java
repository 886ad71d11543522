@org.jspecify.annotations.NullMarked
package dev.millrace.scheduler.eventtrigger;
