/**
 * Alerts: messages about events, to webhooks, Slack and mailboxes. One scheduler at a time holds an alert by a lease. It
 * turns events into deliveries in the transaction that moves the alert's position, and sends these until they arrive or
 * die.
 */
@NullMarked
package dev.millrace.scheduler.alert;

import org.jspecify.annotations.NullMarked;
