/**
 * Who did what, and who was refused. Each call of a method whose rule says so leaves an event, in the transaction of its
 * first change if it makes one; each refusal leaves one, within limits.
 */
@NullMarked
package dev.millrace.scheduler.audit;

import org.jspecify.annotations.NullMarked;
