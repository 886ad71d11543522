/**
 * Handlers of events: what Conductor does with the messages of EVENT tasks and of Kafka. A lane notes a message for each
 * handler of its event in the transaction that ends the step ({@link dev.millrace.scheduler.eventhandler.MessageFeature}), and
 * a consumer those of a topic ({@link dev.millrace.scheduler.eventhandler.TopicHandlers}); then any
 * scheduler decides what the handler does, stores that, and does it ({@link
 * dev.millrace.scheduler.eventhandler.HandlerRunner}).
 */
@NullMarked
package dev.millrace.scheduler.eventhandler;

import org.jspecify.annotations.NullMarked;
