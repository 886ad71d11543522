/** Chooses scheduler, workspace, token and certificates from settings, environment variables and contexts. */
@NullMarked
package dev.millrace.client.internal.access;

import org.jspecify.annotations.NullMarked;
