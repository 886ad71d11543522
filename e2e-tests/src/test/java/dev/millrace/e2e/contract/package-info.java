/** Tests of the gateway against its own OpenAPI document: every operation, and random requests. */
@NullMarked
package dev.millrace.e2e.contract;

import org.jspecify.annotations.NullMarked;
