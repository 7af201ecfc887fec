import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { PaymentGateway, PayoutGateway } from './gateway.ts';

/** The payment provider, loaded on first use. @throws AppError gateway_not_configured */
export async function paymentGateway(deps: Deps): Promise<PaymentGateway> {
  const { payments } = deps.config.gateways;
  if (payments === null) throw new AppError('gateway_not_configured');
  if (payments.name === 'midtrans') return (await import('./midtrans.ts')).createMidtrans(deps, payments);
  return (await import('./sandbox.ts')).createSandbox(deps);
}

/** The payment provider if it has this name, as in stored orders and notification URLs. */
export async function paymentGatewayNamed(deps: Deps, name: string): Promise<PaymentGateway | null> {
  return deps.config.gateways.payments?.name === name ? paymentGateway(deps) : null;
}

/** The payout provider, loaded on first use. @throws AppError gateway_not_configured */
export async function payoutGateway(deps: Deps): Promise<PayoutGateway> {
  const { payouts } = deps.config.gateways;
  if (payouts === null) throw new AppError('gateway_not_configured');
  if (payouts.name === 'midtrans')
    return (await import('./midtrans-payouts.ts')).createMidtransPayouts(deps, payouts);
  return (await import('./sandbox.ts')).createSandbox(deps);
}

/** The payout provider if it has this name. */
export async function payoutGatewayNamed(deps: Deps, name: string): Promise<PayoutGateway | null> {
  return deps.config.gateways.payouts?.name === name ? payoutGateway(deps) : null;
}
