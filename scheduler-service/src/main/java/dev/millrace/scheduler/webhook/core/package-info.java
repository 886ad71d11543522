/** Pure part of webhooks: who has signed a call, and what the call says. */
@NullMarked
package dev.millrace.scheduler.webhook.core;

import org.jspecify.annotations.NullMarked;
