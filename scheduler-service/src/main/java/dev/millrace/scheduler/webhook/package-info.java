/**
 * Webhooks: calls from outside that start runs. {@link dev.millrace.scheduler.webhook.Webhooks} takes the calls, which the
 * gateway passes on as they are.
 */
@NullMarked
package dev.millrace.scheduler.webhook;

import org.jspecify.annotations.NullMarked;
