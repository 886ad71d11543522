/** Who calls the gateway: the credential of a request, where it comes from, and what a browser may do with it. */
@NullMarked
package dev.millrace.gateway.access;

import org.jspecify.annotations.NullMarked;
