/** Tests of the gateway as its callers see it: real HTTP in front of a scheduler in memory. */
@NullMarked
package dev.millrace.gateway;

import org.jspecify.annotations.NullMarked;
