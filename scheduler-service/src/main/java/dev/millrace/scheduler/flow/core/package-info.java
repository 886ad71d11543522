/**
 * The flow engine: definitions as graphs, the state of a run as a fold over its finished steps, and the machine that decides what
 * follows an event. Pure: no I/O, no clock, no random numbers.
 */
@NullMarked
package dev.millrace.scheduler.flow.core;

import org.jspecify.annotations.NullMarked;
