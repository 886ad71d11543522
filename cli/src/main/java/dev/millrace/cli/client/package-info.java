/** Client of the gateway: REST, server-sent events, and the answers as records. */
@NullMarked
package dev.millrace.cli.client;

import org.jspecify.annotations.NullMarked;
