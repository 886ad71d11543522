/**
 * What starts runs by itself: the base of schedules, webhooks and consumers of messages.
 *
 * <p>A kind of trigger brings a service, its settings (a message that the base keeps as bytes), and whatever notices
 * that something has happened. The base does the rest:
 *
 * <ul>
 *   <li>{@link dev.millrace.scheduler.trigger.Triggers}, made once for each kind, creates, changes, pauses, lists and
 *       deletes triggers, keeps their versions, and reads their history. A kind that has rows of its own passes {@link
 *       dev.millrace.scheduler.trigger.TriggerKindRows}, called in the transaction of each change.
 *   <li>{@link dev.millrace.scheduler.trigger.TriggerStarts#start} takes occurrences ({@link
 *       dev.millrace.scheduler.trigger.NewStart#of}) and starts one run for each. The name of an occurrence decides: a
 *       repeated name starts nothing, whatever its input. Once the method returns, each occurrence is durable, so an
 *       offset may be committed or a delivery acknowledged, also for outcomes that are pending.
 *   <li>A kind that must note occurrences in a transaction of its own calls {@link
 *       dev.millrace.scheduler.trigger.TriggerStartRows#note} in it, and {@link
 *       dev.millrace.scheduler.trigger.TriggerStarts#finish} after the commit.
 *   <li>What is refused before it is an occurrence to start, such as a poison message, is noted as a {@link
 *       dev.millrace.scheduler.trigger.NewStart} with the state refused and a reason.
 *   <li>{@link dev.millrace.scheduler.trigger.Triggers#replaceOfFlow} keeps the triggers that the file of a flow
 *       declares.
 * </ul>
 *
 * <p>A trigger acts for whoever created or last changed it, with the rights that this person has at each start.
 */
@NullMarked
package dev.millrace.scheduler.trigger;

import org.jspecify.annotations.NullMarked;
