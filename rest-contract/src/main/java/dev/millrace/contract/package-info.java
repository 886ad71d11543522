/** Checks the exchanges of tests with a gateway against the OpenAPI document of that gateway. */
@NullMarked
package dev.millrace.contract;

import org.jspecify.annotations.NullMarked;
