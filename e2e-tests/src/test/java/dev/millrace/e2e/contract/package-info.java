/** The gateway against its own OpenAPI document: every operation, and requests that nobody should send. */
@NullMarked
package dev.millrace.e2e.contract;

import org.jspecify.annotations.NullMarked;
